export { adoptKey, updateKey } from './allocation-keys.ts'
export { createFirstKey, createKey } from './create-key.ts'
export { importCoefficients } from './import-coefficients.ts'
