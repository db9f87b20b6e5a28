export { loadExampleInfo, removeExample, startExample } from './example.ts'
export { loadOnboardingProgress } from './steps.ts'
