import { rmSync } from 'node:fs'
import { copyDemo, openFolder } from './demo-data.ts'

/** The real program on a demo that is already filled, for the browser's tests. Its folder lives as long as it does. */
const dataDir = openFolder('voisol-e2e-')
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
await copyDemo(dataDir)
process.env.DATA_DIR = dataDir
await import('../src/main.ts')
