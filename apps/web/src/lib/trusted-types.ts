/**
 * `require-trusted-types-for 'script'`: the browser refuses every text that would become markup or a program unless one
 * of the two policies below has looked at it. Their names are those of the header (server, `http/security.ts`).
 */
type PolicyRules = {
  createHTML?: (text: string, type?: string, sink?: string) => string | null
  createScriptURL?: (url: string) => string | null
}
type HtmlPolicy = { createHTML(text: string): string }
type PolicyFactory = { createPolicy(name: string, rules: PolicyRules): HtmlPolicy }

const getPolicyFactory = () => (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes // no type of it in TypeScript's DOM yet

/** How React makes an element of a script: of an empty one that runs nothing. */
const EMPTY_SCRIPT = '<script></script>'
/** Text without a tag or an entity stays text: parts of the interface write their style sheet so. */
const isPlainText = (text: string) => !/[<&]/.test(text)
/** The one program that a page names by its address. */
const ALLOWED_WORKER_URLS = new Set(['/portal-worker.js'])

/** What a library may still write by itself; anything else is refused, and reported in the console. */
export const LIBRARY_RULES = {
  createHTML: (text: string) => (isPlainText(text) || text === EMPTY_SCRIPT ? text : null),
  createScriptURL: (url: string) => (ALLOWED_WORKER_URLS.has(url) ? url : null),
} satisfies PolicyRules

let mailPolicy: HtmlPolicy | undefined

/** Before anything else runs: a page that was not prepared would be refused its first library. */
export function installTrustedTypes() {
  getPolicyFactory()?.createPolicy('default', LIBRARY_RULES)
  mailPolicy = getPolicyFactory()?.createPolicy('mail-preview', { createHTML: (text) => text })
}

/** A message that the server wrote, for a frame in which nothing runs (`sandbox=""`), and for no other place. */
export function showInSandbox(frame: HTMLIFrameElement, html: string) {
  if (frame.sandbox.length > 0 || !frame.hasAttribute('sandbox')) throw new Error('this frame could run what it shows')
  frame.srcdoc = mailPolicy ? mailPolicy.createHTML(html) : html
}
