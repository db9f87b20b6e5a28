export { createApiKey, loadApiKey, revokeApiKey } from './api-keys.ts'
