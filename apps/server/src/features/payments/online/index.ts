export { addProvider, seedLocalProvider } from './manage-providers.ts'
export { pollProviders, processNotice } from './process-notice.ts'
export { findProviderForSeller } from './providers.ts'
