package io.waybill.spring.modulith.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Shop {}
