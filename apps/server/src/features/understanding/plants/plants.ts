export { economiesOf } from './economies.ts'
