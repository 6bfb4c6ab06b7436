package org.springframework.web.multipart;

/** As the original, without methods. */
public interface MultipartFile {
}
