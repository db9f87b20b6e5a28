export { createFirstKey, createKey } from './create-key.ts'
export { importCoefficients } from './import-coefficients.ts'
export { adoptKey, updateKey } from './keys.ts'
