package org.example.unnamed;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** What reads bodies, loaded twice with all its libraries: once more by a class loader of its own. */
final class Twice {
    private Twice() {
    }

    /** Its method in a class that nobody else has loaded. */
    static Method loaded() throws ReflectiveOperationException, java.io.IOException {
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
            places.add(new File(place).toURI().toURL());
        }
        ClassLoader alone = new URLClassLoader(places.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        Method method = alone.loadClass("org.example.unnamed.Hold").getDeclaredMethod("crate", java.io.InputStream.class);
        method.setAccessible(true);
        return method;
    }
}
