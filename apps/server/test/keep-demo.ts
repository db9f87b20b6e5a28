import { ensureDemoFolder } from './demo-data.ts'

/** Makes the demo of the browser's tests while others wait. */
await ensureDemoFolder()
