// kernels: the text of the kernels in the order of cmake/kernels.cmake. Compilers of OpenCL C warn of less.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
// clang-format off
#include "kernels/slots.clh"
#include "kernels/lanes.clh"
#include "kernels/vectors.clh"
#include "kernels/angles.clh"
#include "kernels/layout.clh"
#include "kernels/external.clh"
#include "kernels/ends.clh"
#include "kernels/frames.clh"
#include "kernels/curvature.clh"
#include "kernels/wind.clh"
#include "kernels/contact.clh"
#include "kernels/twist.clh"
#include "kernels/bend_twist.clh"
#include "kernels/damping.clh"
#include "kernels/implicit.clh"
#include "kernels/project.clh"
#include "kernels/integrate.clh"
#include "kernels/guard.clh"
#include "kernels/bundle.clh"
#include "kernels/step.clh"
#include "kernels/figures_slots.clh"
#include "kernels/figures.clh"
#include "kernels/notes.clh"
// clang-format on
#ifdef TWIN_STAGED
#include "kernels/staged.cl"
#else
#include "kernels/fused.cl"
#endif
#pragma GCC diagnostic pop
