export { loadAssembly } from './assembly.ts'
