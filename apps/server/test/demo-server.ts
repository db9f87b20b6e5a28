import { rmSync } from 'node:fs'
import { copyDemoTo, makeTempFolder } from './demo-data.ts'

/** The real program on a demo that is already filled, for the browser's tests. Its folder lives as long as it does. */
const dataDir = makeTempFolder('voisol-e2e-')
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
await copyDemoTo(dataDir)
process.env.DATA_DIR = dataDir
await import('../src/main.ts')
