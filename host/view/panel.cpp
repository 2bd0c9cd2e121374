// panel: the controls in the window, drawn by Dear ImGui.
#include "view/panel.h"

#include <imgui.h>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

static float scale = 1; // of controls, in the screen's units
static float unit = 1;  // pixels of one of the screen's units

// Text is drawn at the size that it is shown at, in pixels, so that it is sharp.
static void set_scale(GLFWwindow *window, float wanted)
{
    int width = 1, height = 1, pixels = 1;
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &pixels, &height);
    unit = width > 0 ? static_cast<float>(pixels) / static_cast<float>(width) : 1;
    scale = wanted / unit;
    ImFontConfig font;
    font.SizePixels = static_cast<float>(static_cast<int>(13 * wanted));
    ImGui::GetIO().Fonts->AddFontDefault(&font);
    ImGui::GetIO().FontGlobalScale = 1 / unit;
    ImGui::GetStyle().ScaleAllSizes(scale);
}

bool view_panel_open(GLFWwindow *window, float wanted)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // leaves no file behind
    ImGui::StyleColorsLight();
    ImGui::GetStyle().WindowRounding = 6;
    ImGui::GetStyle().FrameRounding = 3;
    ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 0.86f;
    set_scale(window, wanted);
    if (!ImGui_ImplGlfw_InitForOpenGL(window, true)) {
        ImGui::DestroyContext();
        return false;
    }
    return ImGui_ImplOpenGL3_Init("#version 330");
}

void view_panel_close(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void view_panel_begin(void)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void view_panel_end(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool view_panel_has_mouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}

bool view_panel_has_keys(void)
{
    return ImGui::GetIO().WantTextInput;
}

void view_panel_box(const char *title, float x, float y, float width)
{
    ImGui::SetNextWindowPos(ImVec2(scale * x, scale * y), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(scale * width, 0), ImGuiCond_FirstUseEver);
    ImGui::Begin(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushItemWidth(scale * width * 0.5f);
}

void view_panel_box_end(void)
{
    ImGui::PopItemWidth();
    ImGui::End();
}

void view_panel_text(const char *text)
{
    ImGui::TextUnformatted(text);
}

bool view_panel_button(const char *name)
{
    return ImGui::Button(name);
}

void view_panel_beside(void)
{
    ImGui::SameLine();
}

bool view_panel_group(const char *name, bool is_open)
{
    return ImGui::CollapsingHeader(name, is_open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

bool view_panel_check(const char *name, bool *value)
{
    return ImGui::Checkbox(name, value);
}

bool view_panel_number(const char *name, float *value, float least, float most, bool is_logarithmic)
{
    return ImGui::SliderFloat(name, value, least, most, "%.4g",
                              is_logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
}

bool view_panel_release(void)
{
    return ImGui::IsItemDeactivatedAfterEdit();
}

bool view_panel_choice(const char *name, int *index, const char *const *names, int count)
{
    return ImGui::Combo(name, index, names, count);
}

bool view_panel_line_edit(const char *name, char *text, int size)
{
    return ImGui::InputText(name, text, static_cast<size_t>(size), ImGuiInputTextFlags_EnterReturnsTrue);
}

void view_panel_plot(const char *name, const float *values, int count, const char *latest)
{
    ImGui::PlotLines(name, values, count, 0, latest, 3.402823466e+38F, 3.402823466e+38F, ImVec2(0, scale * 44));
}

void view_panel_line(float x0, float y0, float x1, float y1, unsigned colour, float width)
{
    ImGui::GetBackgroundDrawList()->AddLine(ImVec2(x0 / unit, y0 / unit), ImVec2(x1 / unit, y1 / unit), colour,
                                            width * scale);
}

void view_panel_dot(float x, float y, float radius, unsigned colour)
{
    ImGui::GetBackgroundDrawList()->AddCircleFilled(ImVec2(x / unit, y / unit), radius * scale, colour);
}

void view_panel_band(float x0, float y0, float x1, float y1, unsigned colour)
{
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(x0 / unit, y0 / unit), ImVec2(x1 / unit, y1 / unit), colour);
}

void view_panel_label(float x, float y, unsigned colour, const char *text)
{
    const ImVec2 size = ImGui::CalcTextSize(text);
    ImGui::GetBackgroundDrawList()->AddText(ImVec2(x / unit - size.x / 2, y / unit), colour, text);
}
