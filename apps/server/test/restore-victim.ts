import { loadConfig } from '../src/config.ts'
import { openCopyStore, requireBackupKey, requireCopySource, restoreCopy } from '../src/features/admin/backups/index.ts'
import { createFolderStore } from '../src/integrations/files/files.ts'

/** A process that restores the last backup, and blocks once every row is loaded, to be killed there. */
const [dataDir = '', url = '', ownerUrl = ''] = process.argv.slice(2)
const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const { source } = await requireCopySource(openCopyStore(config), 'latest')
const files = {
  ...createFolderStore(`${dataDir}/restored-files`),
  // Files come after the tables: all rows are in the transaction at this point.
  put: async () => {
    console.log('here')
    await new Promise(() => setInterval(() => {}, 1000))
  },
}
await restoreCopy({ source, key: requireBackupKey(config), secretKey: config.secretKey, url, ownerUrl, files })
