// scalar: texts as YAML writes them in quotes, on one line. Of the escapes, those that JSON needs for printable
// characters are known; a control character has no place in a scene.
#include "scene/reading.h"

#include <string.h>

typedef struct unquoting {
    scene_reading *reading;
    scene_node *node;
    const char *at, *end; // in the file
    char *out;
} unquoting;

static bool refuse_escape(unquoting *u)
{
    const size_t offset = (size_t)(u->at - u->reading->text);
    scene_complain(u->reading, (scene_span){offset, 2}, "this escape is not accepted\nwrite the character itself");
    u->node->bad = true;
    return false;
}

// Four hexadecimal digits at `at`; false: there are none.
static bool read_hex(const unquoting *u, const char *at, uint32_t *code)
{
    *code = 0;
    if (u->end - at < 4)
        return false;
    for (int k = 0; k < 4; k++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = at[k] ? strchr(digits, at[k]) : NULL;
        if (digit == NULL)
            return false;
        *code = *code << 4 | (uint32_t)((digit - digits) & 15);
    }
    return true;
}

static char *put_utf8(char *out, uint32_t code)
{
    const int more = code < 0x80 ? 0 : (code < 0x800 ? 1 : (code < 0x10000 ? 2 : 3));
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *out++ = (char)(lead[more] | code >> 6 * more);
    for (int k = more - 1; k >= 0; k--)
        *out++ = (char)(0x80 | (code >> 6 * k & 0x3f));
    return out;
}

// \uXXXX, or two of them for a character that UTF-16 needs two for.
static bool take_unicode(unquoting *u)
{
    uint32_t code, low;
    size_t length = 6;
    if (!read_hex(u, u->at + 2, &code))
        return refuse_escape(u);
    const bool paired = code >= 0xd800 && code < 0xdc00 && u->end - u->at >= 12 && memcmp(u->at + 6, "\\u", 2) == 0;
    if (paired && read_hex(u, u->at + 8, &low) && low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
        length = 12;
    }
    if ((code >= 0xd800 && code < 0xe000) || !base_is_printable(code))
        return refuse_escape(u);
    u->out = put_utf8(u->out, code);
    u->at += length;
    return true;
}

static bool take_escape(unquoting *u)
{
    const char second = u->end - u->at > 1 ? u->at[1] : 0;
    if (second == 'u')
        return take_unicode(u);
    if (second != '"' && second != '\\' && second != '/')
        return refuse_escape(u);
    *u->out++ = second;
    u->at += 2;
    return true;
}

void scene_unquote(scene_reading *reading, scene_node *node, char quote)
{
    const char *source = reading->text + node->offset;
    const char mark = quote == '"' ? '\\' : quote; // what an escape starts with
    node->text = source;
    node->length = node->extent;
    if (quote == 0 || memchr(source, mark, node->length) == NULL)
        return;
    char *copy = scene_take(reading, node->length, 1); // escapes are longer than what they stand for
    if (copy == NULL)
        return;
    unquoting u = {reading, node, source, source + node->extent, copy};
    while (u.at < u.end) {
        if (*u.at == '\\' && quote == '"') {
            if (!take_escape(&u))
                break;
            continue;
        }
        u.at += *u.at == '\'' && quote == '\'' && u.end - u.at > 1; // '' stands for '
        *u.out++ = *u.at++;
    }
    node->text = copy;
    node->length = (uint32_t)(u.out - copy);
}
