export { exampleFacts, removeExample, startExample } from './example.ts'
export { wayOf } from './steps.ts'
