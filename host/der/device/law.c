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

static sheaf_status write_laws(const sheaf_model *model, uint32_t size, base_text *text)
{
    uint32_t number = 0;
    base_text_add(text, "#include \"kernels/der/law_curve.clh\"\n#define LAW_SIZE %u\n", size);
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
    base_text text = {0};
    *slot = (kernel_part){0};
    *size = 0;
    for (uint32_t k = 0; model->laws != NULL && k < model->material_count; k++) {
        if (model->laws[k] == NULL)
            continue;
        const uint32_t wanted = law_form_of(model->laws[k]) == LAW_FORM_SEPARATE ? 10 : 16;
        *size = wanted > *size ? wanted : *size;
        count++;
    }
    if (count == 0)
        return SHEAF_OK;
    if (count > LAWS_MOST)
        return base_fail(SHEAF_ERR_LIMIT, "%u materials have laws; devices take at most %d", count, LAWS_MOST);
    const sheaf_status status = write_laws(model, *size, &text);
    if (status != SHEAF_OK) {
        base_text_free(&text);
        return status;
    }
    *slot = (kernel_part){.path = "kernels/der/law.clh", .text = text.bytes};
    return SHEAF_OK;
}
