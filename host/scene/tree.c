// tree: makes a tree of values from YAML, by libfyaml's events. What YAML has beyond maps, lists and scalars is
// refused.
//
// Events arrive one by one, so that reading can stop at any limit. The library itself may look far ahead before its
// next event, keeping 200 bytes or more for every character of a list that could still turn out to be a key; it is fed
// piece by piece, and starves when it has been given too much without an answer.
#include "scene/reading.h"

#include <libfyaml.h>
#include <string.h>

// A map or list that is not yet closed.
typedef struct open_node {
    uint32_t node, last; // last child so far, 0: none
} open_node;

// A place in the text, by lines and characters (from 0) as the library counts, and by bytes.
typedef struct cursor {
    size_t line, column, offset;
} cursor;

typedef struct grower {
    scene_reading *reading;
    open_node open[SCENE_MAX_DEPTH + 1]; // [0] stands for the document
    uint32_t depth;
    uint32_t documents;
    cursor cursor; // of the last event

    size_t fed;          // bytes the library has been given
    uint32_t unanswered; // of these since the last event, weighted
    bool starved;
} grower;

// ---- feeding the library

// Comments cost the library no memory, and people write long ones.
enum { WEIGHT_COMMENT = 1, WEIGHT_CONTENT = 16, MOST_UNANSWERED = WEIGHT_CONTENT * SCENE_MAX_LOOKAHEAD };

static uint32_t weigh_line(const char *line, size_t length)
{
    size_t k = 0;
    while (k < length && (line[k] == ' ' || line[k] == '\t'))
        k++;
    return k == length || line[k] == '#' ? WEIGHT_COMMENT : WEIGHT_CONTENT;
}

// Callback of the library: fills `bytes`; 0 is the end of the file, or the end of our patience.
static ssize_t feed(void *user, void *bytes, size_t capacity)
{
    grower *g = user;
    const char *text = g->reading->text + g->fed;
    const size_t left = g->reading->length - g->fed, most = capacity < left ? capacity : left;
    size_t given = 0;
    g->starved = g->unanswered > MOST_UNANSWERED && left > 0;
    while (given < most && g->unanswered <= MOST_UNANSWERED) {
        const char *end = memchr(text + given, '\n', most - given);
        const size_t length = end ? (size_t)(end - text) - given + 1 : most - given;
        g->unanswered += (uint32_t)length * weigh_line(text + given, end ? length - 1 : length);
        given += length;
    }
    memcpy(bytes, text, given);
    g->fed += given;
    return (ssize_t)given;
}

// ---- places

static void move_to_line(const scene_reading *reading, cursor *c, size_t line)
{
    const char *text = reading->text;
    for (; c->line < line; c->line++) {
        const char *end = memchr(text + c->offset, '\n', reading->length - c->offset);
        c->offset = end ? (size_t)(end - text) + 1 : reading->length;
        c->column = 0;
    }
    for (; c->line > line; c->line--) {
        while (c->offset > 0 && text[c->offset - 1] != '\n')
            c->offset--;
        c->offset -= c->offset > 0;
        while (c->offset > 0 && text[c->offset - 1] != '\n')
            c->offset--;
        c->column = 0;
    }
}

static bool continues_character(const scene_reading *reading, size_t offset)
{
    return offset < reading->length && ((unsigned char)reading->text[offset] & 0xc0) == 0x80;
}

// Events are close to each other, so that walking from one to the next takes linear time in all.
static size_t offset_of(grower *g, const struct fy_mark *mark)
{
    cursor *c = &g->cursor;
    const size_t line = mark->line > 0 ? (size_t)mark->line : 0, column = mark->column > 0 ? (size_t)mark->column : 0;
    move_to_line(g->reading, c, line);
    for (; c->column < column && c->offset < g->reading->length; c->column++)
        do
            c->offset++;
        while (continues_character(g->reading, c->offset));
    for (; c->column > column && c->offset > 0; c->column--)
        do
            c->offset--;
        while (c->offset > 0 && continues_character(g->reading, c->offset));
    return c->offset;
}

// The value of an empty place has no token: it is shown where the node before it is.
static scene_span token_place(grower *g, struct fy_token *token)
{
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const scene_tree *tree = &g->reading->tree;
    if (start != NULL)
        return (scene_span){offset_of(g, start), 1};
    return tree->count > 1 ? scene_place(&tree->nodes[tree->count - 1]) : (scene_span){0, 0};
}

// ---- nodes

static bool grow_tree(scene_reading *reading)
{
    scene_tree *tree = &reading->tree;
    if (tree->count < tree->capacity)
        return true;
    const uint32_t capacity = tree->capacity ? 2 * tree->capacity : 256;
    scene_node *grown = base_realloc(tree->nodes, capacity, sizeof *grown);
    if (grown == NULL) {
        reading->status = SHEAF_ERR_MEMORY;
        return false;
    }
    tree->nodes = grown;
    tree->capacity = capacity;
    tree->count += tree->count == 0; // index 0 stands for none
    return true;
}

static scene_node *node_at(const grower *g, uint32_t index)
{
    return &g->reading->tree.nodes[index];
}

// A node as the next child of the innermost open one.
static scene_node *add_node(grower *g, scene_node_kind kind, scene_span span)
{
    scene_tree *tree = &g->reading->tree;
    if (tree->count >= SCENE_MAX_NODES) {
        scene_complain_limit(g->reading, span,
                             "more than %d values\ndescribe populations by groom and shape instead of single points",
                             SCENE_MAX_NODES);
        return NULL;
    }
    if (!grow_tree(g->reading))
        return NULL;
    const uint32_t index = tree->count++;
    open_node *parent = &g->open[g->depth];
    *node_at(g, index) = (scene_node){
        .kind = (uint8_t)kind, .offset = (uint32_t)span.offset, .extent = (uint32_t)span.length, .text = ""};
    if (g->depth == 0)
        tree->root = index;
    else if (parent->last == 0)
        node_at(g, parent->node)->first = index;
    else
        node_at(g, parent->last)->next = index;
    if (g->depth > 0)
        node_at(g, parent->node)->count++;
    parent->last = index;
    return node_at(g, index);
}

// ---- what is refused

// An anchor's or alias's name stands behind its mark, & or *.
static scene_span anchor_place(grower *g, struct fy_token *anchor)
{
    const scene_span name = token_place(g, anchor);
    return (scene_span){name.offset > 0 ? name.offset - 1 : 0, 1};
}

static void refuse_decorations(grower *g, struct fy_event *event, scene_node *node)
{
    struct fy_token *anchor = fy_event_get_anchor_token(event), *tag = fy_event_get_tag_token(event);
    if (anchor != NULL && event->type != FYET_ALIAS)
        scene_complain(g->reading, anchor_place(g, anchor), "anchors are not accepted\nwrite the value out");
    if (tag != NULL)
        scene_complain(g->reading, token_place(g, tag), "tags are not accepted\nremove the tag");
    node->bad = anchor != NULL || tag != NULL;
}

static bool add_alias(grower *g, struct fy_event *event)
{
    const scene_span span = anchor_place(g, event->alias.anchor);
    scene_node *node = add_node(g, SCENE_NODE_SCALAR, span);
    if (node == NULL)
        return false;
    node->bad = true;
    scene_complain(g->reading, span, "aliases are not accepted\nwrite the value out");
    return true;
}

// ---- what is taken

// The library's own text of a token is not used: it loses memory on some quoted texts.
static void set_text(grower *g, scene_node *node, struct fy_token *token)
{
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    if (start == NULL || end == NULL || start->line != end->line || style > FYSS_DOUBLE_QUOTED) {
        scene_complain(g->reading, scene_place(node), "a value of several lines\nput it on one line");
        node->bad = true;
        return;
    }
    const size_t end_offset = offset_of(g, end);
    node->extent = end_offset > node->offset ? (uint32_t)(end_offset - node->offset) : 0;
    scene_unquote(g->reading, node, style == FYSS_DOUBLE_QUOTED ? '"' : (style == FYSS_SINGLE_QUOTED ? '\'' : 0));
}

static bool add_scalar(grower *g, struct fy_event *event)
{
    struct fy_token *token = event->scalar.value;
    scene_node *node = add_node(g, SCENE_NODE_SCALAR, token_place(g, token));
    if (node == NULL)
        return false;
    refuse_decorations(g, event, node);
    node->empty = token == NULL;
    if (token != NULL)
        set_text(g, node, token);
    return true;
}

static bool open_container(grower *g, struct fy_event *event, scene_node_kind kind)
{
    const scene_span place = token_place(g, fy_event_get_token(event));
    if (g->depth >= SCENE_MAX_DEPTH) {
        scene_complain_limit(g->reading, place, "maps and lists nested deeper than %d", SCENE_MAX_DEPTH);
        return false;
    }
    scene_node *node = add_node(g, kind, place);
    if (node == NULL)
        return false;
    refuse_decorations(g, event, node);
    g->open[++g->depth] = (open_node){.node = (uint32_t)(node - g->reading->tree.nodes)};
    return true;
}

static void refuse_keys(grower *g, scene_node *map)
{
    map->count /= 2;
    for (scene_node *key = scene_first(g->reading, map); key != NULL;) {
        if (key->kind != SCENE_NODE_SCALAR && !key->bad) {
            scene_complain(g->reading, scene_place(key), "a key must be a word");
            key->bad = true;
        }
        scene_node *value = scene_next(g->reading, key);
        key = value ? scene_next(g->reading, value) : NULL;
    }
}

static bool start_document(grower *g, struct fy_event *event)
{
    if (++g->documents == 1)
        return true;
    const scene_span span = token_place(g, event->document_start.document_start);
    scene_complain(g->reading, span, "a second document\na file holds one scene; move the rest to a file of its own");
    return false;
}

// False: stop reading.
static bool take_event(grower *g, struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        return start_document(g, event);
    case FYET_SCALAR:
        return add_scalar(g, event);
    case FYET_ALIAS:
        return add_alias(g, event);
    case FYET_MAPPING_START:
        return open_container(g, event, SCENE_NODE_MAP);
    case FYET_SEQUENCE_START:
        return open_container(g, event, SCENE_NODE_LIST);
    case FYET_MAPPING_END:
        refuse_keys(g, node_at(g, g->open[g->depth].node));
        g->depth--;
        return true;
    case FYET_SEQUENCE_END:
        g->depth--;
        return true;
    default:
        return true;
    }
}

// ---- the library

static void report_syntax(grower *g, struct fy_diag *diag)
{
    void *position = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &position);
    if (error == NULL) {
        scene_complain(g->reading, (scene_span){g->reading->length, 0}, "not YAML");
        return;
    }
    char message[200];
    const size_t line = error->line > 0 ? (size_t)error->line : 1;
    const size_t column = error->column > 0 ? (size_t)error->column : 1;
    const scene_span span = {scene_source_offset(g->reading, line, column), 1};
    base_printable(error->msg, message, sizeof message);
    const scene_node *open = g->depth > 0 ? node_at(g, g->open[g->depth].node) : NULL;
    const char bracket = open && open->offset < g->reading->length ? g->reading->text[open->offset] : 0;
    if (bracket == '[' || bracket == '{')
        scene_complain(g->reading, span, "not YAML: %s\nis the '%c' of line %u closed?", message, bracket,
                       scene_source_line(g->reading, open->offset));
    else
        scene_complain(g->reading, span, "not YAML: %s", message);
}

static void report_starved(grower *g)
{
    scene_complain_limit(g->reading, (scene_span){g->cursor.offset, 1},
                         "more than %d bytes from here without a complete value\n"
                         "break long lists into lines, and long texts into shorter ones",
                         SCENE_MAX_LOOKAHEAD);
}

// True: the whole file has been read.
static bool read_events(grower *g, struct fy_parser *parser, struct fy_diag *diag)
{
    while (!scene_is_hopeless(g->reading)) {
        struct fy_event *event = fy_parser_parse(parser);
        const bool ended = event != NULL && event->type == FYET_STREAM_END;
        if (g->starved)
            report_starved(g);
        else if (event == NULL)
            report_syntax(g, diag);
        const bool more = event != NULL && !g->starved && take_event(g, event);
        fy_parser_event_free(parser, event);
        g->unanswered = 0;
        if (ended || !more)
            return ended && more;
    }
    return false;
}

static struct fy_diag *create_diag(void)
{
    struct fy_diag_cfg settings;
    fy_diag_cfg_default(&settings);
    settings.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&settings);
    if (diag != NULL)
        fy_diag_set_collect_errors(diag, true);
    return diag;
}

static struct fy_parser *create_parser(grower *g, struct fy_diag *diag)
{
    const struct fy_parse_cfg settings = {
        .flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE | FYPCF_DISABLE_ACCELERATORS,
        .diag = diag,
    };
    struct fy_parser *parser = fy_parser_create(&settings);
    if (parser != NULL && fy_parser_set_input_callback(parser, g, feed) != 0) {
        fy_parser_destroy(parser);
        return NULL;
    }
    return parser;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// Keys of the form '? key' are refused before the library sees them where the file has tabs: on some of both it writes
// where it must not. No value has several lines, so that a line cannot start with '? ' otherwise.
static bool refuse_marked_keys(scene_reading *reading)
{
    const bool has_tabs = reading->length > 0 && memchr(reading->text, '\t', reading->length) != NULL;
    bool at_start = true;
    for (size_t k = 0; has_tabs && k < reading->length; k++) {
        const char c = reading->text[k], next = k + 1 < reading->length ? reading->text[k + 1] : '\n';
        if (c == '?' && at_start && (is_blank(next) || next == '\n' || next == '\r')) {
            scene_complain(reading, (scene_span){k, 1},
                           "a key after '?' in a file with tabs\nwrite 'key: value', with spaces");
            return true;
        }
        at_start = c == '\n' || c == '\r' || (at_start && (is_blank(c) || c == '-'));
    }
    return false;
}

bool scene_make_tree(scene_reading *reading)
{
    if (refuse_marked_keys(reading))
        return false;
    grower g = {.reading = reading};
    struct fy_diag *diag = create_diag();
    struct fy_parser *parser = diag ? create_parser(&g, diag) : NULL;
    bool whole = false;
    if (parser != NULL) {
        whole = read_events(&g, parser, diag);
        fy_parser_destroy(parser);
    } else {
        reading->status = base_fail(SHEAF_ERR_MEMORY, "out of memory for the YAML library");
    }
    if (diag != NULL)
        fy_diag_destroy(diag);
    if (whole && reading->tree.root == 0)
        scene_complain(reading, (scene_span){0, 0}, "the file is empty\nstart it with 'sheaf: 1'");
    return whole && reading->tree.root != 0;
}

void scene_free_tree(scene_reading *reading)
{
    base_free(reading->tree.nodes);
    reading->tree = (scene_tree){0};
}

bool scene_text_is(const scene_node *node, const char *word)
{
    return strlen(word) == node->length && memcmp(node->text, word, node->length) == 0;
}

const char *scene_show(const scene_node *node, scene_shown out)
{
    char text[sizeof(scene_shown)];
    const size_t length = node->length < sizeof text ? node->length : sizeof text - 1;
    memcpy(text, node->text, length);
    text[length] = 0;
    return base_printable(text, out, sizeof(scene_shown));
}
