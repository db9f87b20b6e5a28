import { ensureChromium } from './lib/chromium.mjs'
import { ensureBuild } from './lib/ensure-build.mjs'
import { ensureInstall } from './lib/ensure-install.mjs'
import { onCurrentNode } from './lib/run.mjs'
import { runStep } from './lib/step.mjs'

ensureInstall()
await onCurrentNode()

const words = process.argv.slice(2)
const only = words
  .find((word) => word.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const filter = words.filter((word) => !word.startsWith('--only='))
const other = process.env.TEST_DATABASE_URL
const embedded = { TEST_DATABASE_URL: undefined }

const vitest = [
  'run',
  '--reporter=default',
  '--reporter=json',
  ...(filter.length ? ['--passWithNoTests'] : []),
  ...filter,
]
const playwright = ['test', '-c', 'apps/web/playwright.config.ts', '--reporter=list,json']

function browser() {
  const chromium = ensureChromium()
  const args = [...playwright, ...(filter.length ? ['--pass-with-no-tests'] : []), ...filter]
  const env = { ...embedded, CHROMIUM_PATH: chromium }
  if (chromium) return { kind: 'playwright', command: 'playwright', args, env }
  const advice = 'Chromium est introuvable. Installez-le, ou indiquez son chemin avec CHROMIUM_PATH.'
  return { command: process.execPath, args: ['-e', `console.log(${JSON.stringify(advice)}); process.exit(1)`] }
}

const STEPS = {
  lint: () => ({ title: 'Format et règles', command: 'biome', args: ['ci', '.'] }),
  types: () => ({ title: 'Types', command: 'npm', args: ['run', '--silent', 'types'] }),
  unit: () => ({
    title: 'Unités et API',
    kind: 'vitest',
    command: 'vitest',
    args: [...vitest, '--project=!faults'],
    env: embedded,
  }),
  faults: () => ({ title: 'Pannes', kind: 'vitest', command: 'vitest', args: [...vitest, '--project=faults'] }),
  postgres: () =>
    other && {
      title: 'API sur un autre PostgreSQL',
      kind: 'vitest',
      command: 'vitest',
      args: [...vitest, '--project', 'server'],
    },
  build: () => ({ title: 'Construction du web', work: ensureBuild }),
  browser: () => ({ title: 'Navigateur', ...browser() }),
}

const unknown = only?.filter((id) => !(id in STEPS)) ?? []
if (unknown.length)
  console.error(`Étape inconnue\u00a0: ${unknown.join(', ')}. Étapes\u00a0: ${Object.keys(STEPS).join(', ')}.`)

const wanted = (id) => !only || only.includes(id) || (id === 'build' && only.includes('browser'))
const total = { passed: 0, failed: unknown.length, skipped: 0 }
for (const [id, describe] of Object.entries(STEPS)) {
  const step = wanted(id) && describe()
  if (!step) continue
  const result = await runStep({ id, ...step })
  for (const key of Object.keys(total)) total[key] += result[key]
  // Without the application every browser test would only repeat that failure.
  if (id === 'build' && result.failed) break
}

console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed || !total.passed ? 1 : 0
