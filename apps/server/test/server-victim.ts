import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { recordTableDistribution } from '../src/db/citus.ts'
import { openDeps } from '../src/deps.ts'
import { createPoster } from '../src/integrations/post/post.ts'
import { startQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'

/** The whole server on a prepared database, to be killed; unlike the program, it sends webhooks to this machine too. */
const [, , url = ''] = process.argv
const config = loadConfig(process.env)
const { deps } = openDeps(config, url, pino({ level: config.LOG_LEVEL }))
deps.poster = createPoster({ inner: true })
await recordTableDistribution(deps.db, deps.aside)
await startQueue(deps, url, jobs, true)
const app = await buildApp(deps)
await app.listen({ host: '127.0.0.1', port: config.PORT })
console.log('listening')
