// schema: the one table of what a scene file may hold. Reading, docs/scene.md and the JSON Schema all follow it.
#ifndef SHEAF_SCENE_SCHEMA_H
#define SHEAF_SCENE_SCHEMA_H

#include "scene/limits.h"

typedef enum scene_kind {
    SCENE_KIND_TEXT,
    SCENE_KIND_TEXTS,     // a text of a law, or a list of `count` such
    SCENE_KIND_CONSTANTS, // map from names to numbers with any unit
    SCENE_KIND_FLAG,      // true or false
    SCENE_KIND_CHOICE,    // one of `words`
    SCENE_KIND_CHOICES,   // list of some of `words`, which may be empty; a bit for each
    SCENE_KIND_WHOLE,     // whole number, or one of `words`, which then counts from 0
    SCENE_KIND_SEED,      // whole number of 64 bits
    SCENE_KIND_NUMBER,    // number with the limit's unit, or one of `words`, which then is 0
    SCENE_KIND_PAIR,      // one number for both, or a list of two
    SCENE_KIND_VECTOR,    // list of `count` numbers
    SCENE_KIND_AXIS,      // x, y, z, -x, -y, -z, or a list of three numbers, not all 0
    SCENE_KIND_NUMBERS,   // list of numbers
    SCENE_KIND_POINTS,    // list of vertices, each a list of three numbers
    SCENE_KIND_PATH,      // list of two or more points, each a list of three numbers
    SCENE_KIND_PROFILE,   // list of two or more [place, value], places rising
    SCENE_KIND_COURSE,    // number, or a map of the table of courses
    SCENE_KIND_COURSES,   // list of three courses
    SCENE_KIND_KEYS,      // list of [time, value], of a course
    SCENE_KIND_REFERENCE, // a name out of the maps `names` of the scene, counted through them, or one of `words`
    SCENE_KIND_NAMES,     // list of references
    SCENE_KIND_MAP,       // map of `table`
    SCENE_KIND_NAMED,     // map from names to maps of `table`
    SCENE_KIND_LIST,      // list of maps of `table`
    SCENE_KIND_COUNT
} scene_kind;

// Units that lengths of a file may be in.
#define SCENE_LENGTH_UNITS "m|cm|mm|um|in|ft"

typedef struct scene_table scene_table;

typedef struct scene_key {
    const char *name;
    scene_kind kind;
    bool required;
    bool of_course;       // the limit is that of the course it belongs to, not `limit`
    scene_limit_id limit; // range and unit of every number
    uint32_t count;       // numbers of a vector
    const char *words;    // separated by |
    const char *unit;     // word that may stand after a whole number, also with an s; NULL: none
    const char *share_of; // what a number in % is a share of; NULL: no such number may stand for the quantity
    const char *names;    // of a reference: maps of the scene, separated by |
    const char *advice;  // what to do instead of a whole number out of range; NULL: nothing that the range does not say
    const char *refusal; // what any other word than `words` means, before the word itself; NULL: nothing special
    const char *purpose; // what other words are not, as in "'fixed' is not a way to hold an end"; NULL: not said
    const scene_table *table;
    const char *fallback; // value when the key is absent, as a file would say it; NULL: none, or as `doc` says
    const char *example;
    const char *doc; // for users, Markdown
} scene_key;

struct scene_table {
    const char *name; // for users, as in "unknown key in <name>"
    const char *doc;
    const char *bare; // key that a value stands for which is no map, or NULL
    bool one_of;      // exactly one of the keys
    const scene_key *keys;
    uint32_t key_count;
};

extern const scene_table scene_schema;  // of the whole file
extern const scene_table scene_courses; // of any course

// Every table once, in the order of the document.
extern const scene_table *const scene_tables[];
extern const uint32_t scene_table_count;

// What other programs, or other people, call a key of this table; NULL: no key of it.
typedef struct scene_synonym {
    const char *word, *key;
    const char *meaning; // of the key, where its name does not tell; NULL: it does
} scene_synonym;
const scene_synonym *scene_find_synonym(const scene_table *table, const char *word, size_t length);

// Row of a key, or NULL.
const scene_key *scene_find_key(const scene_table *table, const char *name, size_t length);

// Word `index` of a list of words; false: there are not so many.
bool scene_word(const char *words, uint32_t index, const char **word, size_t *length);

// What the value of a key is, with numbers of `limit`: "a list of 3 lengths", "one of bdf2, euler, explicit".
typedef char scene_phrase[160];
const char *scene_describe(const scene_key *key, scene_limit_id limit, scene_phrase out);

#endif
