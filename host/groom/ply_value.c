// ply_value: single values of .ply files, in every encoding and type.
#include "groom/ply.h"

#include <string.h>

#include "groom/number.h"

static sheaf_status read_text_value(groom_input *input, double *value)
{
    for (int byte; (byte = groom_peek(input)) == ' ' || byte == '\n' || byte == '\t' || byte == '\r';)
        input->next++;
    return groom_read_real(input, value);
}

static double decode(ply_type type, const unsigned char bytes[8])
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } value = {0};
    memcpy(&value, bytes, ply_size(type));
    switch (type) {
    case PLY_I8:
        return value.i8;
    case PLY_U8:
        return value.u8;
    case PLY_I16:
        return value.i16;
    case PLY_U16:
        return value.u16;
    case PLY_I32:
        return value.i32;
    case PLY_U32:
        return value.u32;
    case PLY_F32:
        return (double)value.f32;
    default:
        return value.f64;
    }
}

sheaf_status ply_read_value(groom_input *input, ply_encoding encoding, ply_type type, double *value)
{
    unsigned char bytes[8];
    if (encoding == PLY_TEXT)
        return read_text_value(input, value);
    const size_t size = ply_size(type);
    SHEAF_TRY(groom_read(input, bytes, size));
    for (size_t k = 0; encoding == PLY_BIG && k < size / 2; k++) {
        const unsigned char kept = bytes[k];
        bytes[k] = bytes[size - 1 - k];
        bytes[size - 1 - k] = kept;
    }
    *value = decode(type, bytes);
    return SHEAF_OK;
}

sheaf_status ply_read_whole(groom_input *input, ply_encoding encoding, ply_type type, double most, const char *what,
                            uint64_t *whole)
{
    double value;
    SHEAF_TRY(ply_read_value(input, encoding, type, &value));
    if (!(value >= 0 && value <= most) || value != (double)(uint64_t)value)
        return groom_fail(input, "%s is %g, which is no whole number from 0 to %.0f", what, value, most);
    *whole = (uint64_t)value;
    return SHEAF_OK;
}

sheaf_status ply_read_list_length(groom_input *input, ply_encoding encoding, const ply_property *property,
                                  uint64_t *count)
{
    const bool is_text = encoding == PLY_TEXT;
    SHEAF_TRY(ply_read_whole(input, encoding, property->count_type, UINT32_MAX, "the length of a list", count));
    const uint64_t least = is_text ? 2 : ply_size(property->type); // a digit and a blank
    return groom_need(input, *count > 0 ? *count * least - is_text : 0, "a list's values");
}
