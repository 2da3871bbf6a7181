/** Examples of a Markdown text, taken out so that they can be run: what is documented is what works. */
import path from 'node:path';
import * as ts from 'typescript';

/** The fenced blocks of a language, in their order. */
export function blocksOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...markdown.matchAll(fence)].map(([, text = '']) => text);
}

/** What the compiler says of a module that would lie in the project, under the project's own rules. */
export function typeFaults(text: string, root: string): string[] {
  const name = path.join(root, 'test', 'document-example.ts');
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(file, text, rest[0]) : getSourceFile(file, ...rest);
  host.fileExists = (file) => file === name || ts.sys.fileExists(file);
  const program = ts.createProgram([name], { ...options, noEmit: true }, host);
  const source = program.getSourceFile(name);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    (found) => ts.flattenDiagnosticMessageText(found.messageText, '\n'),
  );
}

/** The module, loaded; it may import types only. */
export function compileTypeScript(text: string): Promise<unknown> {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024 };
  const code = ts.transpile(text, options);
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}
