import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageReply } from './http/page-cache.ts'
import { StartupError } from './startup.ts'

const WEB_BUILD = join(import.meta.dirname, '../../web/build')

/** A page of the site; `canonical` is the main address of a page with two. */
type SitePage = { path: string; title: string; description: string; noIndex?: true; canonical?: string }
/** The interface of the web build, which is all the server knows of it. */
type WebEntry = {
  renderPage(request: object): Promise<PageReply>
  placeOf(path: string, settings: Record<string, string>): string
  sitePages: SitePage[]
  screenPaths: string[]
}
export type WebBuild = WebEntry & {
  /** The folder of the static files. */
  files: string
  template: string
  /** With inline styles, so that a page of the site is painted as soon as it arrives. */
  siteTemplate: string
  filesOf(modules: string[]): string[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The built interface; undefined when this process serves none. */
    web: WebBuild | undefined
  }
}

type Manifest = Record<string, { file: string; imports?: string[] } | undefined>

function createModuleFileFinder(manifest: Manifest) {
  const collect = (keys: string[], found: Set<string>) => {
    for (const key of keys) {
      if (found.has(key)) continue
      found.add(key)
      collect(manifest[key]?.imports ?? [], found)
    }
    return found
  }
  const everywhere = collect(['index.html'], new Set())
  return (modules: string[]) =>
    [...collect(modules, new Set(everywhere))]
      .filter((key) => !everywhere.has(key))
      .flatMap((key) => manifest[key]?.file ?? [])
}

const STYLES = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g
const LATIN_FONT_URL = /url\((\/assets\/inter-latin-wght[^)]+\.woff2)\)/

async function buildSiteTemplate(template: string): Promise<string> {
  const files = [...template.matchAll(STYLES)].map(([, file = '']) => join(WEB_BUILD, 'client', file))
  const css = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
  const font = LATIN_FONT_URL.exec(css)?.[1]
  const preload = font ? `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">\n    ` : ''
  // A page that is already rendered can be read before its script runs: visible resources are fetched first.
  const patient = template.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
  return patient.replace(STYLES, '').replace('<!--head-->', () => `${preload}<!--head-->\n    <style>${css}</style>`)
}

/** A screen is drawn by its script alone: all modules are preloaded. */
const addModulePreloads = (template: string, files: string[]) =>
  template.replace('<!--head-->', () =>
    ['<!--head-->', ...files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)].join('\n    '),
  )

export async function loadWebBuild(): Promise<WebBuild> {
  const entry = join(WEB_BUILD, 'server/entry.server.js')
  if (!existsSync(entry))
    throw new StartupError('L’interface n’est pas construite\u00a0: lancez npm start, ou npm run build.')
  const { renderPage, placeOf, sitePages, screenPaths }: WebEntry = await import(entry)
  const template = await readFile(join(WEB_BUILD, 'client/index.html'), 'utf8')
  const manifest: Manifest = JSON.parse(await readFile(join(WEB_BUILD, 'client/.vite/manifest.json'), 'utf8'))
  const filesOf = createModuleFileFinder(manifest)
  const siteTemplate = await buildSiteTemplate(template)
  const files = join(WEB_BUILD, 'client')
  const kept = { renderPage, placeOf, sitePages, screenPaths, files, siteTemplate, filesOf }
  return {
    ...kept,
    template: addModulePreloads(
      template,
      filesOf(['src/entry.client.tsx', 'src/app/product.tsx', 'src/app/shells/signed-in.tsx']),
    ),
  }
}
