// usda_text: the words and values of a .usda file.
#include "groom/usda_text.h"

#include <string.h>

enum { MOST_BRACKETS = 64 };

static bool is_word(int byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '.' || byte == '-' || byte == '+' || byte == '!' || byte >= 0x80;
}

// Skips blanks and comments; says whether a line ended among them, or none has begun yet.
static bool skip_blanks(groom_input *input)
{
    bool new_line = groom_offset(input) == 0;
    for (int byte; (byte = groom_peek(input)) >= 0;) {
        if (byte == '#') {
            while ((byte = groom_peek(input)) >= 0 && byte != '\n')
                input->next++;
        } else if (byte == '\n' || byte == '\r') {
            new_line = true;
            input->next++;
        } else if (byte == ' ' || byte == '\t') {
            input->next++;
        } else {
            break;
        }
    }
    return new_line;
}

sheaf_status usda_skip_blanks(groom_input *input)
{
    skip_blanks(input);
    return input->status;
}

static void add(usda_token *token, size_t *length, int byte)
{
    if (*length < USDA_LONGEST_WORD)
        token->text[(*length)++] = (char)byte;
}

// A name may hold colons, a number may not: there they follow the key of a sample. A type may end in [].
static void read_word(groom_input *input, usda_token *token)
{
    const int first = groom_peek(input);
    const bool number = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    size_t length = 0;
    for (int byte; (byte = groom_peek(input)) >= 0 && (is_word(byte) || (byte == ':' && !number));)
        add(token, &length, groom_take(input));
    if (groom_peek(input) == '[' && groom_peek_second(input) == ']') {
        add(token, &length, groom_take(input));
        add(token, &length, groom_take(input));
    }
    token->text[length] = 0;
}

// A string in quotes of one kind, single or threefold, with backslashes.
static sheaf_status read_string(groom_input *input, usda_token *token)
{
    const int quote = groom_take(input);
    size_t length = 0;
    int quotes = 1, run = 0;
    if (groom_peek(input) == quote) {
        input->next++;
        if (groom_peek(input) != quote) {
            token->text[0] = 0;
            return SHEAF_OK; // an empty string
        }
        input->next++;
        quotes = 3;
    }
    for (int byte; (byte = groom_take(input)) >= 0;) {
        run = byte == quote ? run + 1 : 0;
        if (run == quotes) {
            length = length >= (size_t)(quotes - 1) ? length - (size_t)(quotes - 1) : 0;
            token->text[length] = 0;
            return SHEAF_OK;
        }
        if (byte == '\\')
            byte = groom_take(input);
        else if (byte == '\n' && quotes == 1)
            break;
        add(token, &length, byte);
    }
    return input->status != SHEAF_OK ? input->status : groom_fail(input, "a string that does not end");
}

static sheaf_status read_until(groom_input *input, usda_token *token, char end)
{
    size_t length = 0;
    input->next++;
    for (int byte; (byte = groom_take(input)) >= 0 && byte != '\n';) {
        if (byte == end) {
            token->text[length] = 0;
            return SHEAF_OK;
        }
        add(token, &length, byte);
    }
    return input->status != SHEAF_OK ? input->status : groom_fail(input, "a path that does not end with %c", end);
}

sheaf_status usda_next(groom_input *input, usda_token *token)
{
    *token = (usda_token){.starts_line = skip_blanks(input)};
    token->offset = groom_offset(input);
    const int byte = groom_peek(input);
    if (byte < 0)
        return input->status;
    if (byte == '"' || byte == '\'') {
        token->kind = USDA_STRING;
        return read_string(input, token);
    }
    if (byte == '@' || byte == '<') {
        token->kind = byte == '@' ? USDA_ASSET : USDA_PATH;
        return read_until(input, token, byte == '@' ? '@' : '>');
    }
    if (strchr("()[]{}=,:;", byte) != NULL) {
        token->kind = USDA_MARK;
        token->mark = (char)groom_take(input);
        return SHEAF_OK;
    }
    if (!is_word(byte))
        return groom_fail(input, "a character that has no meaning here");
    token->kind = USDA_WORD;
    read_word(input, token);
    return SHEAF_OK;
}

// Brackets that are open, innermost last.
typedef struct brackets {
    char open[MOST_BRACKETS];
    int depth;
} brackets;

static sheaf_status take_bracket(const groom_input *input, brackets *b, int byte)
{
    if (byte == '(' || byte == '[' || byte == '{') {
        if (b->depth == MOST_BRACKETS)
            return groom_fail(input, "brackets nested deeper than %d", MOST_BRACKETS);
        b->open[b->depth++] = (char)byte;
    } else if (byte == ')' || byte == ']' || byte == '}') {
        const char opening = byte == ')' ? '(' : byte == ']' ? '[' : '{';
        if (b->open[--b->depth] != opening)
            return groom_fail(input, "'%c' closes a bracket that '%c' opened", byte, b->open[b->depth]);
    }
    return SHEAF_OK;
}

// Skips to the bracket that closes the one just read. Brackets inside strings, paths and comments do not count.
static sheaf_status skip_brackets(groom_input *input, char opening)
{
    brackets b = {.open = {opening}, .depth = 1};
    while (b.depth > 0) {
        const int byte = groom_peek(input);
        if (byte < 0)
            return input->status != SHEAF_OK ? input->status : groom_fail(input, "a bracket that is not closed");
        if (byte == '"' || byte == '\'' || byte == '@' || byte == '<' || byte == '#') {
            usda_token token;
            SHEAF_TRY(usda_next(input, &token));
            if (token.kind == USDA_MARK) // after a comment
                SHEAF_TRY(take_bracket(input, &b, token.mark));
            continue;
        }
        input->next++;
        SHEAF_TRY(take_bracket(input, &b, byte));
    }
    return SHEAF_OK;
}

sheaf_status usda_skip(groom_input *input, const usda_token *first)
{
    if (first->kind == USDA_END)
        return groom_fail(input, "the file ends where a value should be");
    if (first->kind != USDA_MARK)
        return SHEAF_OK;
    if (strchr("([{", first->mark) == NULL)
        return groom_fail(input, "'%c' where a value should be", first->mark);
    return skip_brackets(input, first->mark);
}

sheaf_status usda_accept(groom_input *input, char mark, bool *found)
{
    skip_blanks(input);
    *found = groom_peek(input) == (unsigned char)mark;
    if (*found)
        input->next++;
    return input->status;
}

sheaf_status usda_expect(groom_input *input, char mark)
{
    bool found = false;
    SHEAF_TRY(usda_accept(input, mark, &found));
    return found ? SHEAF_OK : groom_fail(input, "'%c' is missing", mark);
}
