export { addressOf } from './address.ts'
export { addFirstContent } from './first-content.ts'
export { findPublished } from './published.ts'
export { searchContents } from './search.ts'
