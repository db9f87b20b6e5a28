import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}'], { cwd: ROOT }).filter(
  (file) => !/\.test\.tsx?$|\/testing\//.test(file),
)

const IMPORT = /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm
/** Each import as [file, imported path inside the repository or package name]; types bind nothing at run time and are left out. */
const imports = files.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)]
    .filter((match) => !match[1])
    .map((match): [string, string] => {
      const target = match[2] ?? match[3] ?? ''
      return [file, target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), target)) : target]
    }),
)
const broken = (rule: (file: string, target: string) => boolean) =>
  imports.filter(([file, target]) => rule(file, target)).map(([file, target]) => `${file} -> ${target}`)

const FEATURE = {
  web: /^apps\/web\/src\/features\/([^/]+)\//,
  server: /^apps\/server\/src\/features\/[^/]+\/([^/]+)\//,
}
const feature = (path: string, app: keyof typeof FEATURE) => FEATURE[app].exec(path)?.[1]

test('the contract imports zod and itself alone', () => {
  expect(
    broken(
      (file, target) =>
        file.startsWith('packages/contract/') && !target.startsWith('packages/contract/') && target !== 'zod',
    ),
  ).toEqual([])
})

test('the energy package imports itself alone', () => {
  expect(
    broken((file, target) => file.startsWith('packages/energy/') && !target.startsWith('packages/energy/')),
  ).toEqual([])
})

test('the browser and the server share the packages and nothing else', () => {
  expect(broken((file, target) => file.startsWith('apps/web/') && target.startsWith('apps/server/'))).toEqual([])
  expect(broken((file, target) => file.startsWith('apps/server/') && target.startsWith('apps/web/'))).toEqual([])
})

test('ui and lib know no feature, shell or page', () => {
  expect(
    broken(
      (file, target) =>
        /^apps\/web\/src\/(ui|lib)\//.test(file) && /^apps\/web\/src\/(features|shells|site)\//.test(target),
    ),
  ).toEqual([])
})

test('web features do not import one another, nor the site, nor the shells', () => {
  expect(
    broken((file, target) => Boolean(feature(file, 'web')) && /^apps\/web\/src\/(shells|site)\//.test(target)),
  ).toEqual([])
  expect(
    broken(
      (file, target) =>
        Boolean(feature(file, 'web')) &&
        Boolean(feature(target, 'web')) &&
        feature(file, 'web') !== feature(target, 'web'),
    ),
  ).toEqual([])
})

test('a server feature calls another one through its main modules, never its routes, jobs or scope', () => {
  expect(
    broken(
      (file, target) =>
        Boolean(feature(file, 'server')) &&
        feature(file, 'server') !== feature(target, 'server') &&
        /features\/[^/]+\/[^/]+\/(routes|jobs|scope)\.ts$/.test(target),
    ),
  ).toEqual([])
})

test('http, db and adapters know no feature', () => {
  expect(
    broken(
      (file, target) => /^apps\/server\/src\/(http|db\/(?!seed)|adapters)/.test(file) && /\/features\//.test(target),
    ),
  ).toEqual([])
})

test('no file is over 300 lines', () => {
  expect(files.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 301)).toEqual([])
})

test('every web feature bears the name of a server feature', () => {
  const served = globSync('apps/server/src/features/*/*', { cwd: ROOT }).map((folder) => basename(folder))
  const shown = globSync('apps/web/src/features/*', { cwd: ROOT }).map((folder) => basename(folder))
  expect(shown.filter((name) => !served.includes(name))).toEqual([])
})
