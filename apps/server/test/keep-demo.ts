import { ensureDemoFolder } from './demo-data.ts'

/** Makes the demo of the browser tests, which wait for it. */
await ensureDemoFolder()
