import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const SERVER = 'apps/server/src/'
const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}'], { cwd: ROOT }).filter(
  (file) => !/\.test\.tsx?$|\/testing\//.test(file),
)

/** Domains in order, and the features of each in order: a feature imports only features before it. */
const FEATURES_BY_DOMAIN = {
  identity: ['mail', 'notifications', 'auth', 'roles', 'users', 'sso', 'scim', 'profile', 'companies', 'audit'],
  energy: [
    'communes',
    'documents',
    'consents',
    'participants',
    'curves',
    'allocation',
    'allocation-keys',
    'operations',
    'projects',
  ],
  enedis: ['credentials', 'reconciliation', 'sync', 'files'],
  billing: ['settings', 'parties', 'tariffs', 'quantities', 'invoices', 'lots', 'month-closing', 'corrections'],
  payments: ['payments', 'mandates', 'statements', 'direct-debits', 'bank', 'online', 'reminders', 'payouts'],
  accounting: ['books', 'declarations', 'takeovers', 'supplier-bills'],
  analytics: [
    'energy',
    'impact',
    'explanations',
    'regulatory',
    'assembly',
    'forecasts',
    'insights',
    'analytics',
    'plants',
  ],
  portal: [
    'white-label',
    'reports',
    'support',
    'visits',
    'erasure',
    'closure',
    'joining',
    'portal-settings',
    'messages',
    'participant-mails',
    'solar-month',
    'mails',
  ],
  site: ['bookings', 'content', 'legal', 'requests', 'seo', 'simulator'],
  admin: [
    'incidents',
    'status',
    'subscription',
    'usage',
    'tidy',
    'retention',
    'webhooks',
    'api-keys',
    'gateway',
    'backups',
    'health',
    'exports',
    'own-feed',
    'connections',
    'event-forwarding',
    'search',
    'demo',
    'onboarding',
    'api-docs',
  ],
}
const ORDER = Object.entries(FEATURES_BY_DOMAIN).flatMap(([domain, features]) =>
  features.map((name) => `${domain}/${name}`),
)

const IMPORT = /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm
type Import = { file: string; target: string; typeOnly: boolean; lazy: boolean }
/** Each import: the file, and the repository path or package it names. */
const everyImport = files.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map((match): Import => {
    const target = match[2] ?? match[3] ?? ''
    const path = target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), target)) : target
    return { file, target: path, typeOnly: Boolean(match[1]), lazy: Boolean(match[3]) }
  }),
)
const formatImports = (found: Import[]) => found.map(({ file, target }) => `${file} -> ${target}`)
/** Types create no dependency at run time: most rules ignore them. */
const listBrokenImports = (rule: (file: string, target: string) => boolean) =>
  formatImports(everyImport.filter(({ file, target, typeOnly }) => !typeOnly && rule(file, target)))
const listBrokenImportsWithTypes = (rule: (file: string, target: string) => boolean) =>
  formatImports(everyImport.filter(({ file, target }) => rule(file, target)))

const webFeature = (path: string) => /^apps\/web\/src\/features\/([^/]+\/[^/]+)\//.exec(path)?.[1]
const serverFeature = (path: string) => /^apps\/server\/src\/features\/([^/]+\/[^/]+)\//.exec(path)?.[1]

test('the contract imports only zod and itself', () => {
  expect(
    listBrokenImports(
      (file, target) =>
        file.startsWith('packages/contract/') && !target.startsWith('packages/contract/') && target !== 'zod',
    ),
  ).toEqual([])
})

test.each(['energy', 'money'])('the %s package imports only itself', (name) => {
  const own = `packages/${name}/`
  expect(files.filter((file) => file.startsWith(own)).length).toBeGreaterThan(0)
  expect(listBrokenImports((file, target) => file.startsWith(own) && !target.startsWith(own))).toEqual([])
})

test('the browser and the server share only the packages', () => {
  expect(
    listBrokenImports((file, target) => file.startsWith('apps/web/') && target.startsWith('apps/server/')),
  ).toEqual([])
  expect(
    listBrokenImports((file, target) => file.startsWith('apps/server/') && target.startsWith('apps/web/')),
  ).toEqual([])
})

test('components and lib import no feature, shell or page', () => {
  expect(
    listBrokenImports(
      (file, target) =>
        /^apps\/web\/src\/(components|lib)\//.test(file) && /^apps\/web\/src\/(features|app|site)\//.test(target),
    ),
  ).toEqual([])
})

test('web features do not import one another, nor the site, nor the shells and screens', () => {
  expect(
    listBrokenImports((file, target) => Boolean(webFeature(file)) && /^apps\/web\/src\/(app|site)\//.test(target)),
  ).toEqual([])
  expect(
    listBrokenImports(
      (file, target) =>
        Boolean(webFeature(file)) && Boolean(webFeature(target)) && webFeature(file) !== webFeature(target),
    ),
  ).toEqual([])
})

test('every server feature belongs to a domain', () => {
  const found = Object.keys(FEATURES_BY_DOMAIN).flatMap((domain) => {
    const folder = join(ROOT, SERVER, 'features', domain)
    return globSync('*/', { cwd: folder }).map((name) => `${domain}/${name.replace(/\/$/, '')}`)
  })
  expect(found.sort()).toEqual(ORDER.toSorted())
  expect(readdirSync(join(ROOT, SERVER, 'features')).filter((name) => !(name in FEATURES_BY_DOMAIN))).toEqual([])
})

test('a server feature imports only features before it, types included', () => {
  expect(
    listBrokenImportsWithTypes((file, target) => {
      const [own, other] = [serverFeature(file), serverFeature(target)]
      return Boolean(own && other && own !== other) && ORDER.indexOf(other ?? '') > ORDER.indexOf(own ?? '')
    }),
  ).toEqual([])
})

test('a server feature is imported only through its index, except by four tables', () => {
  const lists: Record<string, RegExp> = {
    [`${SERVER}app.ts`]: /\/routes\.ts$/,
    [`${SERVER}jobs/registry.ts`]: /\/jobs\.ts$/,
    [`${SERVER}events/subscribers.ts`]: /\/subscriber\.ts$/,
    [`${SERVER}workers/tasks.ts`]: /-task\.ts$/,
  }
  expect(
    listBrokenImportsWithTypes(
      (file, target) =>
        Boolean(serverFeature(target)) &&
        serverFeature(file) !== serverFeature(target) &&
        basename(target) !== 'index.ts' &&
        !lists[file]?.test(target),
    ),
  ).toEqual([])
})

test('shared server code imports no feature', () => {
  const under = /^apps\/server\/src\/(http|db\/(?!seed)|integrations|core|files|prose|calendar)\/|^apps\/simulator\//
  expect(
    listBrokenImportsWithTypes((file, target) => under.test(file) && target.startsWith(`${SERVER}features/`)),
  ).toEqual([])
})

test.each(['documents', 'file-formats'])(
  'the %s package imports no application: data in, bytes out, or the reverse',
  (name) => {
    const own = `packages/${name}/`
    expect(files.filter((file) => file.startsWith(own)).length).toBeGreaterThan(0)
    expect(listBrokenImportsWithTypes((file, target) => file.startsWith(own) && target.startsWith('apps/'))).toEqual([])
  },
)

test('no file imports itself through others, types included', () => {
  const targets = Map.groupBy(everyImport, ({ file }) => file)
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    done.add(file)
    for (const { target, lazy } of targets.get(file) ?? []) if (!lazy) visit(target, [...path, file])
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

/** A file is a use case or a subject; past this length it usually holds two. */
const MAX_FILE_LINES = 500

test('no file is longer than 500 lines', () => {
  const countLines = (file: string) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length
  expect(files.filter((file) => countLines(file) > MAX_FILE_LINES)).toEqual([])
})

test('every web feature has the domain and the name of a server feature', () => {
  const folders = globSync('*/*/', { cwd: join(ROOT, 'apps/web/src/features') })
  expect(folders.map((folder) => folder.replace(/\/$/, '')).filter((name) => !ORDER.includes(name))).toEqual([])
  expect(folders.length).toBeGreaterThan(0)
})
