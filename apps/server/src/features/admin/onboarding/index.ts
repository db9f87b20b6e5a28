export { loadExampleInfo, removeExample, startExample } from './example-company.ts'
export { loadOnboardingProgress } from './onboarding-steps.ts'
