export { buildBrandUrl, loadMailBrand, loadMailBrandOfUser } from '../../../core/mail-brand.ts'
export { buildPublicUrl } from '../../../core/public-links.ts'
export { sendMail, unsealMail } from './mail.ts'
export {
  buildMailImageParts,
  formatGreeting,
  formatVisitorFooter,
  inlineAttachments,
  MAIL_IMAGE_WIDTH,
  type MailImage,
  renderMail,
} from './mail-layout.ts'
