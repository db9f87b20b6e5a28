export { type JoiningMail, joiningMail } from './samples.ts'
export { keepAsked, openFirstPage } from './seed.ts'
