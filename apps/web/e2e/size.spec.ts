import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

type Manifest = Record<string, { file: string; imports?: string[]; dynamicImports?: string[] }>
const BUILD = join(import.meta.dirname, '../build/client')
const manifest: Manifest = JSON.parse(readFileSync(join(BUILD, '.vite/manifest.json'), 'utf8'))

function collectImports(keys: string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (found.has(key)) continue
    found.add(key)
    collectImports(manifest[key]?.imports ?? [], found)
  }
  return found
}
const kilobytes = (keys: Iterable<string>) =>
  [...keys]
    .map((key) => manifest[key]?.file ?? '')
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(BUILD, file))).length / 1024, 0)

const ENTRY = ['index.html', 'src/entry.client.tsx']
const SIGNED_IN = [...ENTRY, 'src/app/product.tsx', 'src/app/shells/signed-in.tsx']
const ADMIN = [...SIGNED_IN, 'src/app/screens/table.ts', 'src/app/shells/admin.tsx']
const PORTAL = [...SIGNED_IN, 'src/app/screens/portal.ts', 'src/app/shells/portal.tsx']

/** First-load JavaScript, compressed with gzip: what must have come before the page is alive. */
for (const { name, keys, budget } of [
  { name: 'public site', keys: [...ENTRY, 'src/app/shells/site.tsx', 'src/site/home/home.tsx'], budget: 150 },
  { name: 'portal', keys: [...PORTAL, 'src/app/screens/portal-home.tsx'], budget: 200 },
  { name: 'back office', keys: [...ADMIN, 'src/app/screens/dashboard-desk.tsx'], budget: 200 },
])
  test(`${name} loads at most ${budget} kB of JavaScript`, () => {
    expect(kilobytes(collectImports(keys))).toBeLessThanOrEqual(budget)
  })

test('a lazy screen adds at most 60 kB', () => {
  const base = collectImports([...ADMIN, ...PORTAL, 'src/app/shells/site.tsx'])
  const heavy = Object.keys(manifest)
    .filter((key) => /^src\/(features|screens|site)\//.test(key))
    .map((key) => [key, kilobytes([...collectImports([key])].filter((part) => !base.has(part)))] as const)
    .filter(([, size]) => size > 60)
  expect(heavy).toEqual([])
})
