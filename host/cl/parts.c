// parts: the text of a program from the parts that it includes.
#include "cl/parts.h"

#include <string.h>

enum { PARTS_MOST = 256 }; // of a program

// A program while its text is put together.
typedef struct assembly {
    const kernel_part *slots;
    uint32_t slot_count;
    base_text *text;
    const kernel_part *met[PARTS_MOST]; // parts that are in it, or being added
    uint32_t met_count;
} assembly;

static const kernel_part *find_in(const kernel_part *parts, uint32_t count, const char *path, size_t length)
{
    for (uint32_t k = 0; k < count; k++)
        if (strlen(parts[k].path) == length && memcmp(parts[k].path, path, length) == 0)
            return &parts[k];
    return NULL;
}

static sheaf_status add_part(assembly *it, const char *path, size_t length);

// The path of a line that includes a part; NULL: the line does something else.
static const char *included(const char *line, size_t *length)
{
    static const char word[] = "#include \"";
    if (strncmp(line, word, sizeof word - 1) != 0)
        return NULL;
    const char *path = line + sizeof word - 1;
    *length = strcspn(path, "\"\n");
    return path;
}

// Lines of a part; compilers are told where they stand, so that they name the right place.
static sheaf_status add_lines(assembly *it, const kernel_part *part)
{
    uint32_t number = 1;
    bool is_marked = false;
    for (const char *line = part->text, *next; *line != 0; line = next, number++) {
        const size_t size = strcspn(line, "\n");
        size_t length;
        const char *path = included(line, &length);
        next = line + size + (line[size] == '\n');
        if (path != NULL) {
            SHEAF_TRY(add_part(it, path, length));
            is_marked = false;
            continue;
        }
        if (!is_marked)
            base_text_add(it->text, "#line %u \"%s\"\n", number, part->path);
        is_marked = true;
        base_text_add_bytes(it->text, line, size);
        base_text_add_bytes(it->text, "\n", 1);
    }
    return SHEAF_OK;
}

static sheaf_status add_part(assembly *it, const char *path, size_t length)
{
    const kernel_part *part = find_in(it->slots, it->slot_count, path, length);
    if (part == NULL)
        part = find_in(kernel_parts, kernel_part_count, path, length);
    if (part == NULL)
        return base_fail(SHEAF_ERR_USAGE, "no part of the kernels is called '%.*s'", (int)length, path);
    for (uint32_t k = 0; k < it->met_count; k++)
        if (it->met[k] == part)
            return SHEAF_OK;
    if (it->met_count == PARTS_MOST)
        return base_fail(SHEAF_ERR_USAGE, "a program has more than %d parts", PARTS_MOST);
    it->met[it->met_count++] = part;
    return add_lines(it, part);
}

sheaf_status parts_assemble(const char *entry, const kernel_part *slots, uint32_t slot_count, base_text *text)
{
    assembly it = {.slots = slots, .slot_count = slot_count, .text = text};
    SHEAF_TRY(add_part(&it, entry, strlen(entry)));
    return base_text_status(text);
}

uint64_t parts_hash(void)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < kernel_part_count; k++)
        hash = base_hash(kernel_parts[k].text, strlen(kernel_parts[k].text), hash);
    return hash;
}
