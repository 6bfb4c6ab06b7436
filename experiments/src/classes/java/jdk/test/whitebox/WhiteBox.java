package jdk.test.whitebox;

import java.lang.reflect.Executable;

/** What HotSpot tells its own tests (`-XX:+WhiteBoxAPI`, from Java 19 on under this name). */
public class WhiteBox {
    static {
        registerNatives();
    }

    private static native void registerNatives();

    public native boolean enqueueMethodForCompilation0(Executable method, int level, int bci);

    public native boolean isMethodCompilable0(Executable method, int level, boolean isOnStack);
}
