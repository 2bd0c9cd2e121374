// refuse: what is said of values of a scene file that are not what the schema wants.
#include "scene/refuse.h"

#include "scene/units.h"

#include <stdio.h>

const char *scene_expected(const scene_slot *s, scene_expectation out)
{
    scene_phrase what;
    const scene_kind kind = s->key->kind;
    const bool listed = kind == SCENE_KIND_CHOICE || kind == SCENE_KIND_FLAG || kind == SCENE_KIND_AXIS;
    scene_describe(s->key, s->limit, what);
    snprintf(out, sizeof(scene_expectation), "%s%s%s", what, listed ? "" : ", such as ", listed ? "" : s->key->example);
    return out;
}

const char *scene_expected_number(const scene_slot *s, scene_expectation out)
{
    const scene_dimension_name name = scene_name_dimension(scene_limits[s->limit].unit);
    const bool own = s->key->kind == SCENE_KIND_NUMBER && !s->key->of_course;
    snprintf(out, sizeof(scene_expectation), "%s%s, such as %s", name.name, s->key->share_of ? " or a percentage" : "",
             own ? s->key->example : name.example);
    return out;
}

void scene_refuse_kind(const scene_slot *s, scene_node *node)
{
    scene_expectation what;
    scene_shown shown;
    const bool scalar = node->kind == SCENE_NODE_SCALAR;
    const char *found = scalar ? scene_show(node, shown) : node->kind == SCENE_NODE_LIST ? "a list" : "a map";
    scene_complain(s->reading, scene_place(node), "%s: expected %s, found %s%s%s", s->key->name,
                   scene_expected(s, what), scalar ? "'" : "", found, scalar ? "'" : "");
    node->bad = true;
}

void scene_refuse_count(const scene_slot *s, scene_node *list)
{
    scene_expectation what;
    scene_complain(s->reading, scene_place(list), "%s: %u values in the list\nexpected %s", s->key->name, list->count,
                   scene_expected(s, what));
    list->bad = true;
}

void scene_refuse_no_entries(const scene_slot *s, scene_node *node)
{
    scene_expectation what;
    scene_complain(s->reading, scene_place(node), "%s is empty\nexpected %s", s->key->name, scene_expected(s, what));
    node->bad = true;
}

void scene_refuse_word(const scene_slot *s, scene_node *node)
{
    scene_expectation what;
    scene_shown shown;
    if (s->key->refusal != NULL)
        scene_complain(s->reading, scene_place(node), "%s %s\nthis Sheaf reads version %s", s->key->refusal,
                       scene_show(node, shown), s->key->words);
    else if (s->key->purpose != NULL)
        scene_complain(s->reading, scene_place(node), "%s: '%s' is not %s\nuse %s", s->key->name,
                       scene_show(node, shown), s->key->purpose, scene_expected(s, what));
    else
        scene_complain(s->reading, scene_place(node), "%s cannot be '%s'\nexpected %s", s->key->name,
                       scene_show(node, shown), scene_expected(s, what));
    node->bad = true;
}

void scene_refuse_empty(const scene_slot *s, const scene_node *name, scene_node *value)
{
    scene_expectation what;
    scene_complain(s->reading, scene_place(name), "%s has no value\nexpected %s", s->key->name,
                   scene_expected(s, what));
    value->bad = true;
}

bool scene_is_kind(const scene_slot *s, scene_node *node, scene_node_kind kind)
{
    if (node->bad)
        return false;
    if (node->kind != kind)
        scene_refuse_kind(s, node);
    return !node->bad;
}

const char *scene_nearest_of(const scene_node *node, const char *const *words, size_t count)
{
    scene_shown shown;
    return base_nearest(scene_show(node, shown), words, count);
}
