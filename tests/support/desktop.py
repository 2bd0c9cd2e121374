"""desktop: what a desktop does to a window besides keys and mouse: drops files on it, and asks it to close. Speaks to
libX11 itself. Standard library only."""
import ctypes
import ctypes.util
import time

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
LONG, POINTER, INT = ctypes.c_ulong, ctypes.c_void_p, ctypes.c_int


def structure(*names):
    """An event: what all of them begin with, then longs."""
    head = [("type", INT), ("serial", LONG), ("send_event", INT), ("display", POINTER)]
    return type("Event", (ctypes.Structure,), {"_fields_": head + [(name, LONG) for name in names]})


class Message(ctypes.Structure):
    _fields_ = [("type", INT), ("serial", LONG), ("send_event", INT), ("display", POINTER), ("window", LONG),
                ("kind", LONG), ("format", INT), ("data", ctypes.c_long * 5)]


Request = structure("owner", "requestor", "selection", "target", "property", "time")
Notice = structure("requestor", "selection", "target", "property", "time")


class Event(ctypes.Union):
    _fields_ = [("type", INT), ("message", Message), ("request", Request), ("notice", Notice),
                ("room", ctypes.c_long * 24)]


class Desktop:
    def __init__(self, display):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11"))
        for name in ["XOpenDisplay", "XDefaultRootWindow", "XCreateSimpleWindow", "XInternAtom"]:
            getattr(self.x, name).restype = LONG if name != "XOpenDisplay" else POINTER
        self.display = POINTER(self.x.XOpenDisplay(display.encode()))

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def send(self, window, kind, *data):
        event = Event()
        event.message.type = CLIENT_MESSAGE
        event.message.window = window
        event.message.kind = self.atom(kind)
        event.message.format = 32
        event.message.data = (ctypes.c_long * 5)(*data)
        self.x.XSendEvent(self.display, LONG(window), 0, LONG(0), ctypes.byref(event))
        self.x.XFlush(self.display)

    def close(self, window):
        self.send(window, "WM_PROTOCOLS", self.atom("WM_DELETE_WINDOW"))

    def drop(self, window, path):
        """The XDND protocol: enter, move, drop; then the window asks for what was dropped."""
        root = self.x.XDefaultRootWindow(self.display)
        source = self.x.XCreateSimpleWindow(self.display, LONG(root), 0, 0, 1, 1, 0, LONG(0), LONG(0))
        selection = self.atom("XdndSelection")
        self.x.XSetSelectionOwner(self.display, LONG(selection), LONG(source), LONG(0))
        self.send(window, "XdndEnter", source, 5 << 24, self.atom("text/uri-list"))
        self.send(window, "XdndPosition", source, 0, 640 << 16 | 360, 0, self.atom("XdndActionCopy"))
        self.send(window, "XdndDrop", source)
        event, end = Event(), time.monotonic() + 20
        while time.monotonic() < end:
            if self.x.XPending(self.display) == 0:
                time.sleep(0.02)
                continue
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.answer(event.request, f"file://{path}\r\n".encode())
                return
        raise TimeoutError("the window does not ask for what was dropped")

    def answer(self, request, data):
        self.x.XChangeProperty(self.display, LONG(request.requestor), LONG(request.property), LONG(request.target), 8, 0,
                               data, len(data))
        event = Event()
        event.notice.type = SELECTION_NOTIFY
        for name in ["requestor", "selection", "target", "property", "time"]:
            setattr(event.notice, name, getattr(request, name))
        self.x.XSendEvent(self.display, LONG(request.requestor), 0, LONG(0), ctypes.byref(event))
        self.x.XFlush(self.display)
