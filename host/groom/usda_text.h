// usda_text: the words and values of a .usda file, without their meaning.
#ifndef SHEAF_GROOM_USDA_TEXT_H
#define SHEAF_GROOM_USDA_TEXT_H

#include "groom/input.h"

enum { USDA_LONGEST_WORD = 255 };

typedef enum usda_kind {
    USDA_END,    // of the file
    USDA_WORD,   // name, type, number or keyword, with colons, dots and [] inside
    USDA_STRING, // in quotes
    USDA_ASSET,  // @path@
    USDA_PATH,   // <path>
    USDA_MARK,   // one of ( ) [ ] { } = , : ;
} usda_kind;

typedef struct usda_token {
    usda_kind kind;
    char mark;                        // of USDA_MARK
    char text[USDA_LONGEST_WORD + 1]; // of the others; cut when longer
    bool starts_line;                 // nothing but blanks stands before it on its line
    uint64_t offset;                  // of its first byte
} usda_token;

// Reads the next token, past blanks and comments. A word that follows its line's start is told by starts_line, because
// a statement without a value ends with its line. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_IO.
sheaf_status usda_next(groom_input *input, usda_token *token);

static inline bool usda_is_mark(const usda_token *token, char mark)
{
    return token->kind == USDA_MARK && token->mark == mark;
}

static inline bool usda_starts_value(const usda_token *token)
{
    return token->kind != USDA_MARK || token->mark == '(' || token->mark == '[' || token->mark == '{';
}

// Skips the rest of a value whose first token has just been read: nothing, or up to the bracket that closes it.
sheaf_status usda_skip(groom_input *input, const usda_token *first);

// Goes past blanks and comments.
sheaf_status usda_skip_blanks(groom_input *input);

// Reads `mark`, after blanks.
sheaf_status usda_expect(groom_input *input, char mark);

// Whether `mark` comes next, after blanks; it is then taken.
sheaf_status usda_accept(groom_input *input, char mark, bool *found);

#endif
