import { rmSync } from 'node:fs'
import { copyDemoTo, makeTempFolder } from './demo-data.ts'

/** The real program on a prepared demo, for browser tests. Its folder is removed with it. */
const dataDir = makeTempFolder('voisol-e2e-')
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
await copyDemoTo(dataDir)
process.env.DATA_DIR = dataDir
await import('../src/main.ts')
