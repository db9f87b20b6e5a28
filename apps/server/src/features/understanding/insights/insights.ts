export { lookAt } from './look.ts'
