// picture: strands as a drawing that needs no settings: perspective, depth order, shading, ground shadow, scale bar.
#ifndef SHEAF_IO_PICTURE_H
#define SHEAF_IO_PICTURE_H

#include "base/text.h"
#include "model/model.h"

// A body drawn with the strands, as the head that hair grows on.
typedef struct io_ball {
    double center[3]; // m
    double radius;    // m
} io_ball;

typedef struct io_picture {
    const sheaf_model *model;
    const double (*positions)[3]; // m, [vertex]
    double time;                  // s, for the caption
    const io_ball *balls;
    uint32_t ball_count;
    const sheaf_model *population; // whose strands the model's are a sample of; NULL: the model is everything
} io_picture;

// Draws into `svg`, which stays under 2 MB for any model: of many strands a spread-out part is drawn.
// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status io_picture_draw(const io_picture *picture, base_text *svg);

#endif
