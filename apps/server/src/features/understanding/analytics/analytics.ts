export { compare } from './compare.ts'
