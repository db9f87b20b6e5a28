export { addFirstContent } from './first-content.ts'
export { findPublishedContent, loadContentPage, searchContents } from './published-content.ts'
export type { ContentDeps } from './stored-content.ts'
export { getContentPath } from './stored-content.ts'
