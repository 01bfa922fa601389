/** What a window checks before it sends a file; apart from the schemas, so that it can be read without them. */

/** Of one message. */
export const maxAttachments = 10;
/** Of one file. */
export const maxAttachmentBytes = 10 * 1024 * 1024;
/** A picture with more pixels is made smaller before it is sent: models that see look at no more of them. */
export const maxPictureSide = 1568;
/** Of a picture that is made smaller first. */
export const maxPictureBytes = 64 * 1024 * 1024;
