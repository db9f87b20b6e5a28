import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { openDeps } from '../src/deps.ts'
import { makeCopy } from '../src/features/admin/backups/index.ts'
import { createFolderStore } from '../src/integrations/files/files.ts'

/** A process that makes a backup, and blocks at a given point, to be killed there. */
const [url = '', dataDir = '', stopPoint = ''] = process.argv.slice(2)
const { deps } = openDeps(
  loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }),
  url,
  pino({ level: 'silent' }),
)
const stopHere = async () => {
  console.log('here')
  await new Promise(() => setInterval(() => {}, 1000))
}
const store = createFolderStore(`${dataDir}/files`)
deps.files = {
  ...store,
  // At this point the tables are written, and the files are not.
  list: async (folder) => {
    if (stopPoint === 'reading') await stopHere()
    return store.list(folder)
  },
}
await makeCopy(deps, undefined, stopPoint === 'placed' ? stopHere : undefined)
