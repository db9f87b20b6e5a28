export { createLinkKey, requireLinkRequestId } from '../../../core/public-links.ts'
export { isBotSubmission, storeRequest, throttleForm, throttleLinkUse, type VisitorContext } from './store-request.ts'
