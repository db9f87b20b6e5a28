export { createLinkKey, requireLinkRequestId } from '../../../core/link-key.ts'
export { storeRequest } from './keep.ts'
export { isBotSubmission, throttleForm, throttleLinkUse, type VisitorContext } from './visitor.ts'
