// source: refuses files that are not text, before the YAML library sees them, in time linear in the file's size. What
// the library cannot stand is refused here too: it never returns from some directives.
#include "scene/reading.h"

#include <string.h>

// Where the scan stands. Quotes and comments are followed so that brackets inside them do not count; a mistake here (in
// a block of literal text, say) costs no safety, as depth is checked again when the tree is made.
typedef struct scan {
    scene_reading *reading;
    size_t at;         // offset of the byte looked at
    size_t line_start; // offset
    char closing;      // what ends the quote or comment the scan is in, or 0 outside of any
    bool escaped;      // by a backslash
    uint32_t depth;    // of brackets
} scan;

static bool refuse_bytes(scan *s)
{
    const unsigned byte = (unsigned char)s->reading->text[s->at];
    scene_complain(s->reading, (scene_span){s->at, 1},
                   "byte 0x%02x at offset %zu is not UTF-8 text\nsave the file in the encoding UTF-8", byte, s->at);
    return false;
}

static bool refuse_character(scan *s, uint32_t character)
{
    scene_complain(s->reading, (scene_span){s->at, 1}, "control character U+%04X\nremove it", (unsigned)character);
    return false;
}

static bool is_allowed(const char *text, size_t available, uint32_t character)
{
    if (character == '\r')
        return available > 1 && text[1] == '\n';
    return character == '\n' || character == '\t' || (base_is_printable(character) && character != 0xfeff);
}

static bool check_directive(scan *s, char byte)
{
    if (byte != '%' || s->at != s->line_start)
        return true;
    scene_complain(s->reading, (scene_span){s->at, 1}, "YAML directives are not accepted\nremove the line");
    return false;
}

static bool open_bracket(scan *s)
{
    if (++s->depth <= SCENE_MAX_DEPTH)
        return true;
    scene_complain_limit(s->reading, (scene_span){s->at, 1}, "brackets nested deeper than %d", SCENE_MAX_DEPTH);
    return false;
}

// A quote or comment opens only where a value may start.
static bool may_start(const scan *s)
{
    return s->at == 0 || strchr(" \t\n[{,:'\"", s->reading->text[s->at - 1]) != NULL;
}

static void follow_quote(scan *s, char byte)
{
    if (s->escaped)
        s->escaped = false;
    else if (byte == '\\' && s->closing == '"')
        s->escaped = true;
    else if (byte == s->closing)
        s->closing = 0;
}

static bool follow_brackets(scan *s, char byte)
{
    if (s->closing != 0)
        follow_quote(s, byte);
    else if ((byte == '"' || byte == '\'' || byte == '#') && may_start(s))
        s->closing = byte == '#' ? '\n' : byte;
    else if (byte == '[' || byte == '{')
        return open_bracket(s);
    else if ((byte == ']' || byte == '}') && s->depth > 0)
        s->depth--;
    return true;
}

// The library takes time quadratic in the length of a run of blanks after some characters, and reads freed memory at
// the end of some very long ones. Blanks that begin a line are harmless.
static bool check_blanks(scan *s)
{
    const char *text = s->reading->text;
    const size_t most_effort = 20 * (s->reading->length + (1 << 20)); // under a tenth of a second for a file of 1 MiB
    size_t run = 0, effort = 0;
    for (s->at = 0; s->at < s->reading->length; s->at++) {
        if (text[s->at] == ' ' || text[s->at] == '\t') {
            run++;
        } else {
            effort += run > 0 && run < s->at && text[s->at - run - 1] != '\n' ? run * run : 0;
            run = 0;
        }
        if (run <= SCENE_MAX_BLANKS && effort <= most_effort)
            continue;
        scene_complain_limit(s->reading, (scene_span){s->at, 1}, "%s\nremove blanks",
                             run > SCENE_MAX_BLANKS ? "too many blanks in a row" : "too many long runs of blanks");
        return false;
    }
    return true;
}

static bool check_characters(scan *s)
{
    size_t size = 1;
    for (s->at = 0; s->at < s->reading->length; s->at += size) {
        const char *here = s->reading->text + s->at;
        const size_t available = s->reading->length - s->at;
        size = 1;
        if (*here >= ' ' && *here <= '~')
            continue;
        const uint32_t character = base_utf8_decode(here, available, &size);
        if (size == 0)
            return refuse_bytes(s);
        if (!is_allowed(here, available, character))
            return refuse_character(s, character);
    }
    return true;
}

static bool check_lines(scan *s)
{
    static const bool matters[256] = {['"'] = 1, ['\''] = 1, ['#'] = 1, ['['] = 1,  ['{'] = 1,
                                      [']'] = 1, ['}'] = 1,  ['%'] = 1, ['\\'] = 1, ['\n'] = 1};
    for (s->at = 0; s->at < s->reading->length; s->at++) {
        const char byte = s->reading->text[s->at];
        if (!matters[(unsigned char)byte] && !s->escaped)
            continue;
        if (!check_directive(s, byte) || !follow_brackets(s, byte))
            return false;
        if (byte == '\n')
            s->line_start = s->at + 1;
    }
    return true;
}

bool scene_check_source(scene_reading *reading)
{
    scan s = {.reading = reading};
    return check_characters(&s) && check_blanks(&s) && check_lines(&s);
}
