// reading: what the stages of reading one scene file share: its text, its tree, its memory, and what is wrong with it.
// Stages: source (is it text?), tree (is it YAML?), values (is it what the schema says?), build (does it make sense?).
#ifndef SHEAF_SCENE_READING_H
#define SHEAF_SCENE_READING_H

#include "scene/reader.h"
#include "scene/scene.h"

// Limits of a scene file. They bound the time and memory that any file can cost: see docs/scene.md.
enum {
    SCENE_MAX_FILE = 16 << 20,      // bytes
    SCENE_MAX_BLANKS = 1024,        // spaces and tabs in a row
    SCENE_MAX_DEPTH = 32,           // maps and lists inside each other
    SCENE_MAX_NODES = 64 << 10,     // values, keys, maps and lists
    SCENE_MAX_LOOKAHEAD = 16 << 10, // bytes that the YAML library may take before it says what they are
    SCENE_MAX_NAMED = 256,          // materials, or motions
    SCENE_MAX_DIAGNOSTICS = 100,
};

typedef enum scene_node_kind { SCENE_NODE_SCALAR, SCENE_NODE_LIST, SCENE_NODE_MAP } scene_node_kind;

// A value of the file. The children of a map are key, value, key, value, ...; keys are scalars once the tree is made.
typedef struct scene_node {
    uint8_t kind;
    bool empty;       // nothing was written where a value belongs
    bool bad;         // it has been complained about: it has no value
    bool unsound;     // it, or something inside, has been complained about: checks that need it are left out
    bool is_share;    // a number in % where a quantity could stand
    uint32_t offset;  // of its first byte in the text
    uint32_t extent;  // bytes of the text it covers; of a scalar only
    uint32_t first;   // child, 0: none
    uint32_t next;    // in the same map or list, 0: none
    uint32_t count;   // children; pairs of a map
    uint32_t length;  // bytes of `text`
    const char *text; // of a scalar, without quotes; not 0-terminated
    union {
        double number;  // in SI
        uint64_t whole; // whole numbers, choices, flags
    };
} scene_node;

typedef struct scene_tree {
    scene_node *nodes; // [0] is not used
    uint32_t count, capacity;
    uint32_t root;
} scene_tree;

// A place in the text, counted from 0; columns in characters.
typedef struct scene_location {
    size_t offset, line_start;
    uint32_t line, column;
} scene_location;

typedef struct scene_reading {
    const char *text; // valid UTF-8 without control characters, once checked
    size_t length;
    const char *name; // of the file; what it refers to lies beside it
    scene_diagnostics *list;
    uint32_t list_capacity;
    scene_location located; // place of the last complaint
    sheaf_status status;    // of the first thing that went wrong
    scene_tree tree;
    struct scene_block *blocks; // of scene_take
    const scene_files *places;  // where files are that it names; NULL, and what is not listed: as seen from its folder
    scene_files files;          // that were named so far
} scene_reading;

// Bytes of the text that a complaint is about.
typedef struct scene_span {
    size_t offset, length;
} scene_span;

// Adds a diagnostic: what is wrong and, after a line end in `format`, what to do about it. Words of the file must be
// made printable by the caller.
__attribute__((format(printf, 3, 4))) void scene_complain(scene_reading *reading, scene_span span, const char *format,
                                                          ...);

// The same for a documented limit that the file exceeds.
__attribute__((format(printf, 3, 4))) void scene_complain_limit(scene_reading *reading, scene_span span,
                                                                const char *format, ...);

// Nothing more is worth finding out: the list is full, or memory has run out.
bool scene_is_hopeless(const scene_reading *reading);

// Zeroed memory that lives as long as the reading; NULL when there is none, which the reading remembers.
void *scene_take(scene_reading *reading, size_t count, size_t size);
void scene_release(scene_reading *reading);

// Stage 1. Refuses what is not text: bytes that are not UTF-8, control characters, and what the YAML library must
// not see. False: complained, and the text is not fit for stage 2.
bool scene_check_source(scene_reading *reading);

// Line of a byte offset, from 1.
uint32_t scene_source_line(scene_reading *reading, size_t offset);

// Byte offset of a line and column, both from 1, columns in characters; never past the end of the text.
size_t scene_source_offset(const scene_reading *reading, size_t line, size_t column);

// Stage 2. Makes the tree. False: complained, and there is no tree to check.
bool scene_make_tree(scene_reading *reading);
void scene_free_tree(scene_reading *reading);

// Gives a scalar its text, from its place in the file, where it stands in quotes ' or " or in none (0).
void scene_unquote(scene_reading *reading, scene_node *node, char quote);

static inline scene_node *scene_first(const scene_reading *reading, const scene_node *node)
{
    return node->first ? &reading->tree.nodes[node->first] : NULL;
}

static inline scene_node *scene_next(const scene_reading *reading, const scene_node *node)
{
    return node->next ? &reading->tree.nodes[node->next] : NULL;
}

// The key after this one, in a map.
static inline scene_node *scene_next_key(const scene_reading *reading, const scene_node *key)
{
    return scene_next(reading, scene_next(reading, key));
}

static inline scene_span scene_place(const scene_node *node)
{
    return (scene_span){node->offset, node->extent};
}

// Whether a scalar's text is `word`.
bool scene_text_is(const scene_node *node, const char *word);

// A scalar's text, printable and cut, for messages; returns `out`.
typedef char scene_shown[64];
const char *scene_show(const scene_node *node, scene_shown out);

// Stage 4. Builds the scene from a tree that stage 3 has checked, complaining about what does not fit together. NULL:
// complained, now or before.
sheaf_scene *scene_build(scene_reading *reading);

#endif
