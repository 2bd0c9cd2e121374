// law: the laws of a model's materials as one text, which stands in the slot kernels/der/law.clh of programs.
#include "der/device/device_parts.h"

#include <string.h>

enum { LAWS_MOST = 255 }; // that a bundle's details can tell apart

// Laws of a part are those of the whole model: strands of both share programs.
static const sheaf_model *whole(const sheaf_model *model)
{
    return model->parent != NULL ? whole(model->parent) : model;
}

static uint32_t number_of(const sheaf_model *model, const law *of)
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < model->material_count; k++) {
        number += model->laws[k] != NULL;
        if (model->laws[k] == of)
            return number;
    }
    return 0;
}

uint32_t der_law_number(const sheaf_model *model, uint32_t strand)
{
    const law *of = model->strands[strand].law;
    return of != NULL ? number_of(whole(model), of) : 0;
}

bool der_has_laws(const sheaf_model *part)
{
    const sheaf_model *model = whole(part);
    for (uint32_t k = 0; model->laws != NULL && k < model->material_count; k++)
        if (model->laws[k] != NULL)
            return true;
    return false;
}

static const char *case_of(const law *of)
{
    return law_form_of(of) == LAW_FORM_COUPLED  ? "COUPLED"
           : law_form_of(of) == LAW_FORM_RADIAL ? "RADIAL"
           : law_knows_secants(of)              ? "SEPARATE"
                                                : "OPEN";
}

static void add_cases(base_text *text, const sheaf_model *model, const char *name, const char *suffix)
{
    base_text_add(text, "#define %s", name);
    for (uint32_t k = 0, number = 0; k < model->material_count; k++)
        if (model->laws[k] != NULL)
            base_text_add(text, " LAW_%s%s(%u)", case_of(model->laws[k]), suffix, ++number);
    base_text_add(text, "\n");
}

static bool has_friction(const law *of)
{
    return of != NULL && law_friction_of(of).stiffness > 0;
}

static void add_friction(base_text *text, const sheaf_model *model)
{
    base_text_add(text, "#define LAW_FRICTION_CASES");
    for (uint32_t k = 0, number = 0; k < model->material_count; k++) {
        number += model->laws[k] != NULL;
        if (!has_friction(model->laws[k]))
            continue;
        const law_friction of = law_friction_of(model->laws[k]);
        base_text_add(text, " case %u: r.stiffness = C(%.17e), r.inverse_limit = C(%.17e), r.limit = C(%.17e); break;",
                      number, of.stiffness, 1 / of.limit, of.limit);
    }
    base_text_add(text, "\n");
}

// What a vertex keeps of laws.
typedef struct law_room {
    bool couples, rubs;
} law_room;

static uint32_t size_of(law_room room)
{
    return (room.couples ? 16u : 10u) + (room.rubs ? 10u : 0u);
}

static sheaf_status write_laws(const sheaf_model *model, law_room room, base_text *text)
{
    uint32_t number = 0;
    base_text_add(text,
                  "#include \"kernels/der/law_curve.clh\"\n#define LAW_SIZE %u\n#define LAW_COUPLES %d\n"
                  "#define LAW_FRICTION %d\n",
                  size_of(room), room.couples, room.rubs);
    add_friction(text, model);
    for (uint32_t k = 0; k < model->material_count; k++)
        if (model->laws[k] != NULL)
            SHEAF_TRY(law_emit(model->laws[k], ++number, text));
    add_cases(text, model, "LAW_CASES", "");
    add_cases(text, model, "LAW_ENERGY_CASES", "_ENERGY");
    return base_text_status(text);
}

sheaf_status der_emit_laws(const sheaf_model *part, kernel_part *slot, uint32_t *size)
{
    const sheaf_model *model = whole(part);
    uint32_t count = 0;
    law_room room = {false, false};
    base_text text = {0};
    *slot = (kernel_part){0};
    *size = 0;
    for (uint32_t k = 0; model->laws != NULL && k < model->material_count; k++) {
        if (model->laws[k] == NULL)
            continue;
        room.couples = room.couples || law_form_of(model->laws[k]) != LAW_FORM_SEPARATE;
        room.rubs = room.rubs || has_friction(model->laws[k]);
        count++;
    }
    if (count == 0)
        return SHEAF_OK;
    if (count > LAWS_MOST)
        return base_fail(SHEAF_ERR_LIMIT, "%u materials have laws; devices take at most %d", count, LAWS_MOST);
    *size = size_of(room);
    const sheaf_status status = write_laws(model, room, &text);
    if (status != SHEAF_OK) {
        base_text_free(&text);
        return status;
    }
    *slot = (kernel_part){.path = "kernels/der/law.clh", .text = text.bytes};
    return SHEAF_OK;
}
