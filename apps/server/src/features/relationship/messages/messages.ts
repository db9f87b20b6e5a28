export { seedMessage } from './seed.ts'
export { createMessage } from './write.ts'
