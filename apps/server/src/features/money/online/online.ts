export { askProviders } from './ask.ts'
export { hear } from './hear.ts'
export { addProvider } from './manage.ts'
export { providerFor } from './providers.ts'
