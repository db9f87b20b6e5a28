import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { transaction } from '../src/db/client.ts'
import { openDeps } from '../src/deps.ts'
import { rotateApiKey } from '../src/features/admin/api-keys/rotate-api-key.ts'
import { rotateSecret } from '../src/features/admin/webhooks/index.ts'
import type { Actor } from '../src/http/actor.ts'

/** A process that renews an API key or a webhook secret, and blocks before the commit, to be killed there. */
const [url = '', dataDir = '', actor = '', id = '', what = 'key'] = process.argv.slice(2)
const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const { deps } = openDeps(config, url, pino({ level: 'silent' }))
const requestActor: Actor = JSON.parse(actor)
await transaction(deps.db, async (tx) => {
  if (what === 'key') await rotateApiKey(tx, requestActor, id, { overlapHours: 24, expiresOn: null })
  else await rotateSecret(tx, deps, requestActor, id, 24)
  console.log('here')
  await new Promise(() => setInterval(() => {}, 1000))
})
