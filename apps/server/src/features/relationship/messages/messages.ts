export { keepMessage } from './seed.ts'
export { createMessage } from './write.ts'
