// Executes a Jenkinsfile without Jenkins: shell lines by bash, steps of plugins by name; prints what was called and how it ended.

import com.lesfurets.jenkins.unit.BasePipelineTest

class Pipeline extends BasePipelineTest {
    void init(File folder) {
        scriptRoots = [folder.path] as String[]
        setUp()
        binding.setVariable('scm', 'scm')
        helper.registerAllowedMethod('checkout', [Object], null)
        helper.registerAllowedMethod('junit', [String], null)
        helper.registerAllowedMethod('recordIssues', [Map], null)
        helper.registerAllowedMethod('sarif', [Map], { it })
        helper.registerAllowedMethod('sh', [String], { String script ->
            def shell = ['bash', '-e', '-c', script].execute(null as List, folder)
            shell.waitForProcessOutput(System.err, System.err)
            if (shell.exitValue() != 0) {
                throw new IllegalStateException("exit ${shell.exitValue()}")
            }
        })
    }
}

def file = new File(args[0]).absoluteFile
def pipeline = new Pipeline()
pipeline.init(file.parentFile)
def end = 'passed'
try {
    pipeline.runScript(file.name)
} catch (IllegalStateException e) {
    end = "failed: ${e.message}"
}
pipeline.helper.callStack.each { println it.toString().trim() }
println end
